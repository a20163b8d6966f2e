// The service's own SDK, unmodified, against the engine (core/engine/PROTOCOL.md, section 5).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Daytona, DaytonaError, DaytonaNotFoundError, DaytonaTimeoutError } from '@daytonaio/sdk';

import { startDaemon } from './daemon.mjs';

let stopDaemon;
let daytona;
let sandbox;

before(async () => {
    stopDaemon = await startDaemon();
    daytona = new Daytona();
    sandbox = await daytona.create({
        name: 'first',
        language: 'python',
        labels: { purpose: 'test' },
        envVars: { OF_SANDBOX: 'yes' },
    });
});

after(async () => {
    await daytona?.[Symbol.asyncDispose]();
    await stopDaemon?.();
});

test('create_givesAStartedSandbox', () => {
    assert.equal(sandbox.state, 'started');
    assert.equal(sandbox.name, 'first');
    assert.equal(sandbox.labels.purpose, 'test');
    assert.equal(sandbox.env.OF_SANDBOX, 'yes');
    assert.equal(sandbox.autoStopInterval, 15);
});

test('wrongKey_isAnAuthenticationError', async () => {
    const stranger = new Daytona({ apiKey: 'no', useDeprecatedPolling: true });
    await assert.rejects(stranger.get('first'), (error) => error.statusCode === 401);
});

test('get_byIdAndName_isTheSame', async () => {
    const byId = await daytona.get(sandbox.id);
    const byName = await daytona.get('first');
    assert.equal(byId.id, sandbox.id);
    assert.equal(byName.id, sandbox.id);
    await assert.rejects(daytona.get('nobody'), DaytonaNotFoundError);
});

test('list_byLabel_pagesThroughAll', async () => {
    const second = await daytona.create({ labels: { purpose: 'test' } });
    const found = [];
    for await (const one of daytona.list({ labels: { purpose: 'test' }, limit: 1 })) found.push(one.id);
    assert.deepEqual(found.sort(), [sandbox.id, second.id].sort());
    await second.delete();
});

test('setLabels_replacesThem', async () => {
    const labels = await sandbox.setLabels({ ...sandbox.labels, more: '1' });
    assert.equal(labels.more, '1');
    assert.equal((await daytona.get(sandbox.id)).labels.more, '1');
});

test('runCode_callsBackWithEveryStream', async () => {
    const seen = { stdout: '', stderr: '', errors: [] };
    const result = await sandbox.codeInterpreter.runCode(
        "import sys\nprint('out ✓')\nprint('err', file=sys.stderr)\n1/0",
        {
            onStdout: (message) => (seen.stdout += message.output),
            onStderr: (message) => (seen.stderr += message.output),
            onError: (error) => seen.errors.push(error),
        }
    );
    assert.equal(seen.stdout, 'out ✓\n');
    assert.equal(seen.stderr, 'err\n');
    assert.equal(seen.errors.length, 1);
    assert.equal(seen.errors[0].name, 'ZeroDivisionError');
    assert.equal(seen.errors[0].value, 'division by zero');
    assert.match(seen.errors[0].traceback, /ZeroDivisionError: division by zero/);
    assert.deepEqual(result.error, seen.errors[0]);
    assert.equal(result.stdout, seen.stdout);
});

test('runCode_keepsVariablesOfTheDefaultContext', async () => {
    await sandbox.codeInterpreter.runCode('kept = 41');
    const result = await sandbox.codeInterpreter.runCode('print(kept + 1)');
    assert.equal(result.stdout, '42\n');
});

test('runCode_envs_areOfThisCallOnly', async () => {
    const code = "import os\nprint(os.environ.get('ONLY_NOW'), os.environ['OF_SANDBOX'])";
    const first = await sandbox.codeInterpreter.runCode(code, { envs: { ONLY_NOW: 'now' } });
    const second = await sandbox.codeInterpreter.runCode(code);
    assert.equal(first.stdout, 'now yes\n');
    assert.equal(second.stdout, 'None yes\n');
});

test('runCode_timeout_endsInTimeAndKeepsVariables', async () => {
    await sandbox.codeInterpreter.runCode('before = 1');
    const start = Date.now();
    // The SDK takes the frame "interrupted" for an end like any other; other closings with 4008 are an error.
    const result = await sandbox.codeInterpreter.runCode('import time\nprint("on")\ntime.sleep(60)', { timeout: 1 });
    assert.ok(Date.now() - start < 20_000);
    assert.equal(result.stdout, 'on\n');
    assert.equal((await sandbox.codeInterpreter.runCode('print(before)')).stdout, '1\n');
});

test('runCode_stubbornCode_isATimeoutError', async () => {
    const code = 'import signal, time\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\ntime.sleep(60)';
    await assert.rejects(sandbox.codeInterpreter.runCode(code, { timeout: 1 }), DaytonaTimeoutError);
});

test('runCode_deadInterpreter_isAnError', async () => {
    const result = await sandbox.codeInterpreter.runCode('import os\nos._exit(1)');
    assert.equal(result.error.name, 'KernelDied');
});

test('contexts_haveFoldersAndVariablesOfTheirOwn', async () => {
    await sandbox.fs.createFolder('work', '755');
    const context = await sandbox.codeInterpreter.createContext('/home/user/work');
    assert.equal(context.cwd, '/home/user/work');
    assert.equal(context.language, 'python');
    const run = await sandbox.codeInterpreter.runCode("import os\nmine = 1\nprint(os.getcwd().endswith('/work'))", {
        context,
    });
    assert.equal(run.stdout, 'True\n');
    const elsewhere = await sandbox.codeInterpreter.runCode("print('mine' in globals())");
    assert.equal(elsewhere.stdout, 'False\n');
    assert.deepEqual((await sandbox.codeInterpreter.listContexts()).map((one) => one.id), [context.id]);
    await sandbox.codeInterpreter.deleteContext(context);
    assert.deepEqual(await sandbox.codeInterpreter.listContexts(), []);
    await assert.rejects(sandbox.codeInterpreter.runCode('1', { context }), /context not found/);
});

test('executeCommand_givesOutputAndExitCode', async () => {
    const response = await sandbox.process.executeCommand('echo $WHO; pwd; exit 3', 'work', { WHO: 'me' });
    assert.equal(response.exitCode, 3);
    assert.match(response.result, /^me\n.*\/work\n$/);
    assert.equal(response.artifacts.stdout, response.result);
});

test('executeCommand_timeout_isAnError', async () => {
    await assert.rejects(
        sandbox.process.executeCommand('sleep 60', undefined, undefined, 1),
        (error) => error instanceof DaytonaTimeoutError && error.statusCode === 408
    );
});

test('codeRun_runsAProgram', async () => {
    const response = await sandbox.process.codeRun('import os, sys\nprint(sys.argv[1:], os.environ["A"])', {
        argv: ['x', 'y z'],
        env: { A: '1' },
    });
    assert.equal(response.exitCode, 0);
    assert.equal(response.result, "['x', 'y z'] 1\n");
    assert.equal((await sandbox.process.codeRun('raise SystemExit(4)')).exitCode, 4);
});

test('codeRun_javascript_byTheSandboxesLanguage', async () => {
    const other = await daytona.create({ language: 'javascript' });
    assert.equal((await other.process.codeRun('console.log(6 * 7)')).result, '42\n');
    await other.delete();
});

test('folders_areTold', async () => {
    assert.equal(await sandbox.getWorkDir(), '/home/user');
    assert.equal(await sandbox.getUserHomeDir(), '/home/user');
});

test('pauseAndStart_keepVariables', async () => {
    await sandbox.codeInterpreter.runCode('over = 5');
    await sandbox.pause();
    assert.equal(sandbox.state, 'paused');
    await assert.rejects(sandbox.process.executeCommand('true'), (error) => error.statusCode === 409);
    await sandbox.start();
    assert.equal(sandbox.state, 'started');
    assert.equal((await sandbox.codeInterpreter.runCode('print(over)')).stdout, '5\n');
});

test('stopAndStart_keepFilesAlone', async () => {
    await sandbox.codeInterpreter.runCode("gone = 1\nopen('kept.txt', 'w').write('x')");
    await sandbox.stop();
    assert.equal(sandbox.state, 'stopped');
    await sandbox.start();
    const run = await sandbox.codeInterpreter.runCode(
        "import os\nprint('gone' in globals(), os.path.exists('kept.txt'))"
    );
    assert.equal(run.stdout, 'False True\n');
});

test('intervals_areKept', async () => {
    await sandbox.setAutostopInterval(30);
    await sandbox.setAutoDeleteInterval(60);
    await sandbox.refreshData();
    assert.equal(sandbox.autoStopInterval, 30);
    assert.equal(sandbox.autoDeleteInterval, 60);
});

test('previewLink_namesThePort', async () => {
    const link = await sandbox.getPreviewLink(3000);
    assert.match(link.url, /:3000$/);
    assert.ok(link.token.length >= 32);
});

test('unoffered_isAnErrorWithWords', async () => {
    await assert.rejects(sandbox.archive(), (error) => error instanceof DaytonaError && /not offered/.test(error.message));
});

test('events_tellOfAStopElsewhere', async () => {
    const watched = await daytona.create();
    const again = await daytona.get(watched.id);
    await again.stop();
    await watched.waitUntilStopped(10);
    assert.equal(watched.state, 'stopped');
    await watched.delete();
});

test('delete_isGone', async () => {
    const short = await daytona.create({ ephemeral: true });
    await short.delete(60, true);
    assert.equal(short.state, 'destroyed');
    await assert.rejects(daytona.get(short.id), DaytonaNotFoundError);
});
