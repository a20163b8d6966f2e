// The runner itself: wires the parts together, handles messages one at a time.
'use strict';

const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { Channel } = require('./channel.cjs');
const { stackText } = require('./errors.cjs');
const { Evaluator } = require('./evaluator.cjs');
const { CellEnd, Execution, isCellEnd } = require('./execution.cjs');
const { installModules } = require('./imports.cjs');
const { Questions } = require('./inputs.cjs');
const { Look, OPERATIONS } = require('./look.cjs');
const { Owners } = require('./owners.cjs');
const { Guard, WORDS } = require('./state.cjs');
const { Hub } = require('./streams.cjs');
const { bundle, encode } = require('./values.cjs');

const FEATURES = ['complete', 'inspect', 'vars', 'get', 'comm', 'interrupt'];

class Runner {
    constructor() {
        this._shared = new Int32Array(new SharedArrayBuffer(4 * WORDS));
        const nonce = process.env.SANDFISH_NONCE ?? '';
        delete process.env.SANDFISH_NONCE;
        const guard = new Guard(this._shared);
        const channel = new Channel(nonce, guard);
        const owners = new Owners(channel);
        this._parts = { channel, owners, hub: new Hub(channel, owners, guard), evaluator: new Evaluator(this._shared) };
        this._count = 0;
        this._execution = null;
        this._queue = [];
        this._isBusy = false;
        this._comms = new Map();
    }

    start() {
        const { channel, owners, hub, evaluator } = this._parts;
        hub.install();
        this._questions = new Questions(channel, owners);
        this._questions.install();
        installModules();
        this._installGlobals();
        this._installGuards();
        this._look = new Look(evaluator);
        this._worker = new Worker(path.join(__dirname, 'control.cjs'), { workerData: { shared: this._shared } });
        this._worker.on('message', (message) => this._receive(message));
        this._worker.on('exit', () => process.reallyExit(0));
    }

    _receive(message) {
        if (message.op === 'listening') this._announce();
        else if (message.op === 'interrupt' || message.op === 'terminated') this._interrupt(message.id);
        else {
            this._queue.push(message);
            this._next();
        }
    }

    _announce() {
        const features =
            typeof require('node:module').stripTypeScriptTypes === 'function' ? [...FEATURES, 'typescript'] : FEATURES;
        this._parts.channel.send('ready', {
            pid: process.pid,
            lang: 'javascript',
            version: process.versions.node,
            features,
        });
    }

    _interrupt(id) {
        if (this._execution?.id !== id) return;
        this._execution.interrupt();
        this._questions.forgetAnswers();
    }

    _next() {
        if (this._isBusy || this._queue.length === 0) return;
        const message = this._queue.shift();
        this._isBusy = true;
        if (message.op === 'execute') this._execute(message);
        else this._answer(message);
    }

    _free() {
        this._execution = null;
        this._isBusy = false;
        if (this._queue.length) setImmediate(() => this._next());
    }

    _execute(message) {
        this._count += message.silent ? 0 : 1;
        this._execution = new Execution(message, this._count, this._parts, () => this._free());
        this._execution.start();
    }

    _answer(message) {
        this._answerTo(message)
            .catch((error) => ({ error: String(error?.message ?? error) }))
            .then((answer) => {
                if (message.id !== undefined && answer !== undefined)
                    this._parts.channel.send('reply', { id: message.id, ...answer });
                this._free();
            });
    }

    async _answerTo(message) {
        if (message.op === 'chdir') return this._changeFolder(message);
        if (message.op === 'comm') return void this._comms.get(message.target_name)?.(message);
        if (!OPERATIONS.includes(message.op)) return { error: `unknown operation '${message.op}'` };
        return this._look[message.op](message);
    }

    _changeFolder({ path: folder = '' }) {
        try {
            process.chdir(String(folder));
        } catch (error) {
            this._parts.channel.send('log', { level: 'error', text: error.message });
        }
    }

    // ---------------------------------------------------------------- what cells can call

    _installGlobals() {
        const { channel, owners } = this._parts;
        globalThis.display = (value, options = {}) => {
            channel.sendMarked('display', {
                id: owners.owner(),
                data: options.raw ? encode(value) : bundle(value),
                metadata: options.metadata ?? {},
                display_id: options.display_id ?? null,
                update: Boolean(options.update),
            });
        };
        globalThis.clearOutput = (wait = false) => {
            channel.sendMarked('clear', { id: owners.owner(), wait: Boolean(wait?.wait ?? wait) });
        };
        globalThis.comms = {
            register: (target, handler) => void this._comms.set(target, handler),
            send: (message) => channel.sendMarked('comm', message),
        };
        for (const name of ['display', 'clearOutput', 'comms', 'prompt', 'confirm', 'alert', 'require']) {
            Object.defineProperty(globalThis, name, { enumerable: false, writable: true, configurable: true });
        }
    }

    _installGuards() {
        process.on('SIGINT', () => {});
        const report = (prefix) => (error) => {
            if (!isCellEnd(error)) process.stderr.write(prefix + stackText(error) + '\n');
        };
        process.on('uncaughtException', report(''));
        process.on('unhandledRejection', report('Unhandled rejection: '));
        process.exit = (code = process.exitCode ?? 0) => {
            const status = Number(code) | 0;
            const execution = this._execution;
            // The cell itself is ended by the exception below; one that waits while its callback exits is left at once.
            if (execution && this._parts.owners.owner() === execution.id) setImmediate(() => execution.exit(status));
            throw new CellEnd(status);
        };
    }
}

module.exports = { Runner };
