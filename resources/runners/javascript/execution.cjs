// One execution: from `started` to exactly one `done`.
'use strict';

const { describe } = require('./errors.cjs');
const { rewriteImports } = require('./imports.cjs');
const { toJavaScript } = require('./typescript.cjs');
const { bundle } = require('./values.cjs');

/** Thrown by process.exit, to end the cell where it runs. */
class CellEnd extends Error {
    constructor(code) {
        super('The cell has ended.');
        this.code = code;
    }
}

/** Never an exception: a proxy can throw when it is asked for its class. */
function isCellEnd(thrown) {
    try {
        return thrown instanceof CellEnd;
    } catch {
        return false;
    }
}

const INTERRUPTED = { status: 'interrupted', ename: 'Interrupted', evalue: '', traceback: 'Interrupted', frames: [] };

class Execution {
    /** `parts` are the runner's channel, owners, hub and evaluator; `ended` is called after `done` was sent. */
    constructor(message, count, parts, ended) {
        this.id = message.id;
        this._message = message;
        this._count = count;
        this._parts = parts;
        this._ended = ended;
        this._label = String(message.label ?? `cell [${count}]`);
        this._name = sourceName(this._label);
        this._isOver = false;
    }

    start() {
        const { channel, owners, hub, evaluator } = this._parts;
        owners.begin(this.id);
        hub.beginCell();
        channel.sendMarked('started', { id: this.id });
        this._restore = setEnvironment(this._message.env ?? {});
        this._began = performance.now();
        let code;
        try {
            code = prepare(this._message);
        } catch (error) {
            this._finish({ status: 'error', ...describe(error) });
            return;
        }
        evaluator.enter(this.id);
        owners.run(() => evaluator.evaluate(code, this._name, (answer) => this._conclude(answer)));
    }

    /** Leaves the cell where it waits. */
    interrupt() {
        this._leave(INTERRUPTED);
    }

    exit(code) {
        this._leave({ status: 'exit', code });
    }

    _leave(outcome) {
        if (this._isOver) return;
        this._finish(outcome);
        this._parts.evaluator.abandon();
    }

    _conclude(answer) {
        if (this._isOver) return;
        if (answer.terminated) this._finish(INTERRUPTED);
        else if (isCellEnd(answer.thrown)) this._finish({ status: 'exit', code: answer.thrown.code });
        else if ('thrown' in answer) {
            // The signal of an interrupt reaches a child program on another way than the message reaches the runner.
            if (isOfSignal(answer.thrown)) this._parts.evaluator.awaitInterrupt();
            this._finish(this._failure(answer));
        } else {
            this._finish(this._success(answer));
        }
    }

    /** Sends the value; one whose own text forms cannot be sent is a failure of the cell. */
    _success(answer) {
        if (answer.value === undefined || this._message.silent) return { status: 'ok' };
        try {
            this._parts.channel.sendMarked('result', { id: this.id, data: bundle(answer.value), metadata: {} });
            return { status: 'ok' };
        } catch (error) {
            return { status: 'error', ...describe(error) };
        }
    }

    _failure(answer) {
        const outcome = { status: 'error', ...describe(answer.thrown, answer.place) };
        outcome.traceback = outcome.traceback.replaceAll(this._name + ':', this._label + ':');
        for (const frame of outcome.frames) if (frame.file === this._name) frame.file = this._label;
        return outcome;
    }

    _finish(outcome) {
        const { channel, hub, evaluator } = this._parts;
        this._isOver = true;
        // A child program that the same interrupt ended makes its caller throw.
        const result = evaluator.leave() && outcome.status === 'error' ? INTERRUPTED : outcome;
        this._restore();
        evaluator.release();
        hub.beginCell();
        const ms = Math.round((performance.now() - this._began) * 1000) / 1000;
        channel.sendMarked('done', { id: this.id, ms, n: this._count, ...result });
        this._ended();
    }
}

function prepare(message) {
    const code = String(message.code ?? '');
    return rewriteImports(message.lang === 'typescript' ? toJavaScript(code) : code);
}

/** True for what `node:child_process` throws when SIGINT ended the child. */
function isOfSignal(thrown) {
    try {
        return thrown?.signal === 'SIGINT';
    } catch {
        return false;
    }
}

/** The engine of JavaScript takes no spaces or quotes in the name of a source. */
function sourceName(label) {
    return label.replace(/\s/g, '').replace(/["']/g, '_');
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

module.exports = { Execution, CellEnd, isCellEnd };
