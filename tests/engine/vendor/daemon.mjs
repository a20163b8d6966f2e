// Starts the built sandfishd for a test, and points this process at it as `sandfishd --print-env` says.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = process.env.SANDFISHD;

/** Resolves, once the daemon serves, to a function that ends it. */
export async function startDaemon() {
    const folder = mkdtempSync(join(tmpdir(), 'sandfish-vendor-'));
    // What a developer's shell sets must not change what the tests see.
    const ours = ([name]) => !name.startsWith('SANDFISH_');
    const daemon = spawn(program, ['--foreground', '--state-dir', join(folder, 'state')], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: Object.fromEntries(Object.entries(process.env).filter(ours)),
    });
    const [line] = await once(createInterface({ input: daemon.stdout }), 'line');
    if (!JSON.parse(line).url) throw new Error(`sandfishd did not come up: ${line}`);
    for (const [name, value] of exports(join(folder, 'state'))) process.env[name] = value;
    return async () => {
        const ended = once(daemon, 'exit');
        daemon.kill('SIGTERM');
        await ended;
        rmSync(folder, { recursive: true, force: true });
    };
}

/** The variables that a shell would have after `eval "$(sandfishd --print-env)"`. */
function exports(stateDirectory) {
    const script = 'eval "$("$0" --print-env --state-dir "$1")" && env -0';
    const text = execFileSync('/bin/sh', ['-c', script, program, stateDirectory], { encoding: 'utf8' });
    return text
        .split('\0')
        .filter((entry) => /^(LIZARD|DAYTONA)_/.test(entry))
        .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
}
