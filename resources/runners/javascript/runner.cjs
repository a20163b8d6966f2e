// The runner itself: wires the parts together, runs cells one at a time.
'use strict';

const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { Channel } = require('./channel.cjs');
const { describe, stackText } = require('./errors.cjs');
const { Evaluator } = require('./evaluator.cjs');
const { rewriteImports, installModules } = require('./imports.cjs');
const { Questions } = require('./inputs.cjs');
const look = require('./look.cjs');
const { Owners } = require('./owners.cjs');
const { Hub } = require('./streams.cjs');
const { toJavaScript } = require('./typescript.cjs');
const { bundle, encode } = require('./values.cjs');
const { WORDS } = require('./state.cjs');

const FEATURES = ['complete', 'inspect', 'vars', 'get', 'comm', 'interrupt'];

/** What ends a cell besides its own text: an interrupt or a call of process.exit. */
class CellEnd extends Error {
    constructor(outcome) {
        super('The cell has ended.');
        this.outcome = outcome;
    }
}

class Runner {
    constructor() {
        this._shared = new Int32Array(new SharedArrayBuffer(4 * WORDS));
        const nonce = process.env.SANDFISH_NONCE ?? '';
        delete process.env.SANDFISH_NONCE;
        this._channel = new Channel(nonce);
        this._owners = new Owners(this._channel);
        this._hub = new Hub(this._channel, this._owners);
        this._evaluator = new Evaluator(this._shared);
        this._count = 0;
        this._end = null;
        this._running = null;
        this._queue = Promise.resolve();
        this._comms = new Map();
    }

    start() {
        this._hub.install();
        new Questions(this._channel, this._owners).install();
        installModules();
        this._installGlobals();
        this._installGuards();
        this._look = new look.Look(this._evaluator);
        this._worker = new Worker(path.join(__dirname, 'control.cjs'), { workerData: { shared: this._shared } });
        this._worker.on('message', (message) => this._receive(message));
        this._worker.on('exit', () => process.reallyExit(0));
    }

    _receive(message) {
        if (message.op === 'listening') this._announce();
        else if (message.op === 'interrupt') this._endCell(message.id, interrupted());
        else this._queue = this._queue.then(() => this._handle(message));
    }

    _announce() {
        const features = typeof require('node:module').stripTypeScriptTypes === 'function' ? [...FEATURES, 'typescript'] : FEATURES;
        this._channel.send('ready', { pid: process.pid, lang: 'javascript', version: process.versions.node, features });
    }

    async _handle(message) {
        if (message.op === 'execute') return this._execute(message);
        if (message.op === 'comm') return void this._comms.get(message.target_name)?.(message);
        if (message.id === undefined) return undefined;
        let answer;
        try {
            answer = look.OPERATIONS.includes(message.op)
                ? await this._look[message.op](message)
                : { error: `unknown operation '${message.op}'` };
        } catch (error) {
            answer = { error: String(error?.message ?? error) };
        }
        this._channel.send('reply', { id: message.id, ...answer });
        return undefined;
    }

    // ---------------------------------------------------------------- one execution

    async _execute(message) {
        const silent = Boolean(message.silent);
        this._count += silent ? 0 : 1;
        const label = String(message.label ?? `cell [${this._count}]`);
        this._running = message.id;
        this._owners.begin(message.id);
        this._hub.beginCell();
        this._channel.sendMarked('started', { id: message.id });
        const restore = setEnvironment(message.env ?? {});
        const started = performance.now();
        let outcome = await this._outcome(message, label, silent);
        // A child program that the same interrupt ended makes its caller throw.
        if (this._evaluator.leave() && outcome.status === 'error') outcome = interrupted();
        this._running = null;
        restore();
        this._evaluator.release();
        this._hub.beginCell();
        const ms = Math.round((performance.now() - started) * 1000) / 1000;
        this._channel.sendMarked('done', { id: message.id, ms, n: this._count, ...outcome });
    }

    /** Runs the cell; the members of `done` that say how it ended. */
    async _outcome(message, label, silent) {
        const name = sourceName(label);
        const stopped = new Promise((_resolve, reject) => (this._end = reject));
        stopped.catch(() => {});
        try {
            const code = prepare(message);
            this._evaluator.enter(message.id);
            const evaluation = this._owners.run(() => this._evaluator.evaluate(code, name));
            evaluation.catch(() => {});
            const answer = await Promise.race([evaluation, stopped]);
            if ('thrown' in answer) {
                if (answer.thrown instanceof CellEnd) return answer.thrown.outcome;
                return relabel({ status: 'error', ...describe(answer.thrown, answer.place) }, name, label);
            }
            if (answer.value !== undefined && !silent) this._sendResult(message.id, answer.value);
            return { status: 'ok' };
        } catch (error) {
            if (error instanceof CellEnd) return error.outcome;
            if (/terminated/.test(error?.message ?? '')) return interrupted();
            return { status: 'error', ...describe(error) };
        } finally {
            this._end = null;
        }
    }

    _sendResult(id, value) {
        this._channel.sendMarked('result', { id, data: bundle(value), metadata: {} });
    }

    /** Ends the running cell `id` where it waits; a cell that loops is ended by the worker. */
    _endCell(id, outcome) {
        if (this._running === id && this._end) this._end(new CellEnd(outcome));
    }

    // ---------------------------------------------------------------- what cells can call

    _installGlobals() {
        globalThis.display = (value, options = {}) => {
            this._channel.sendMarked('display', {
                id: this._owners.owner(),
                data: options.raw ? encode(value) : bundle(value),
                metadata: options.metadata ?? {},
                display_id: options.display_id ?? null,
                update: Boolean(options.update),
            });
        };
        globalThis.clearOutput = (wait = false) => {
            this._channel.sendMarked('clear', { id: this._owners.owner(), wait: Boolean(wait?.wait ?? wait) });
        };
        globalThis.comms = {
            register: (target, handler) => void this._comms.set(target, handler),
            send: (message) => this._channel.send('comm', message),
        };
        for (const name of ['display', 'clearOutput', 'comms', 'prompt', 'confirm', 'alert', 'require']) {
            Object.defineProperty(globalThis, name, { enumerable: false, writable: true, configurable: true });
        }
    }

    _installGuards() {
        process.on('SIGINT', () => {});
        const report = (prefix) => (error) => {
            if (!(error instanceof CellEnd)) process.stderr.write(prefix + stackText(error) + '\n');
        };
        process.on('uncaughtException', report(''));
        process.on('unhandledRejection', report('Unhandled rejection: '));
        process.exit = (code = process.exitCode ?? 0) => {
            const end = new CellEnd({ status: 'exit', code: Number(code) | 0 });
            if (this._running !== null && this._owners.owner() === this._running) this._endCell(this._running, end.outcome);
            throw end;
        };
    }
}

function interrupted() {
    return { status: 'interrupted', ename: 'Interrupted', evalue: '', traceback: 'Interrupted', frames: [] };
}

function prepare(message) {
    const code = String(message.code ?? '');
    return rewriteImports(message.lang === 'typescript' ? toJavaScript(code) : code);
}

/** The engine of JavaScript takes no spaces or quotes in the name of a source. */
function sourceName(label) {
    return label.replace(/\s/g, '').replace(/["']/g, '_');
}

function relabel(outcome, name, label) {
    outcome.traceback = outcome.traceback.replaceAll(name + ':', label + ':');
    for (const frame of outcome.frames) if (frame.file === name) frame.file = label;
    return outcome;
}

/** Sets variables for one run; returns the function that takes them back. */
function setEnvironment(extra) {
    const before = Object.keys(extra).map((name) => [name, process.env[name]]);
    Object.assign(process.env, extra);
    return () => {
        for (const [name, value] of before) {
            if (value === undefined) delete process.env[name];
            else process.env[name] = value;
        }
    };
}

module.exports = { Runner };
