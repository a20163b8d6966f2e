// Evaluates the text of a cell in the main realm, as the console of an inspector does: `const` may be declared again in
// a later cell, `await` works at top level.
//
// Nothing here or in the execution of a cell relies on promises of the runner: a termination throws away all callbacks
// of promises that are due.
'use strict';

const inspector = require('node:inspector');
const { promiseHooks } = require('node:v8');
const { STATE, RUNNING_ID, TERMINATED, INTERRUPTED, IDLE, RUNNING } = require('./state.cjs');

const TERMINATION_MS = 500;
const INTERRUPT_MS = 200;
const HELD_PROMISES = 8;
const TAKE = Symbol.for('sandfish.take');

class Evaluator {
    constructor(shared) {
        this._shared = shared;
        this._connect();
        this._held = [];
        this._taken = undefined;
        const take = (value) => (this._taken = value);
        take.unwind = makeUnwinder();
        Object.defineProperty(globalThis, TAKE, { value: take, enumerable: false });
    }

    _connect() {
        this._session = new inspector.Session();
        this._session.connect();
    }

    post(method, params) {
        return new Promise((resolve, reject) => {
            this._session.post(method, params, (error, answer) => (error ? reject(error) : resolve(answer)));
        });
    }

    /** From here to `leave` the worker may end the evaluation of `id`. */
    enter(id) {
        Atomics.store(this._shared, TERMINATED, 0);
        Atomics.store(this._shared, INTERRUPTED, 0);
        Atomics.store(this._shared, RUNNING_ID, id | 0);
        Atomics.store(this._shared, STATE, RUNNING);
    }

    /** Blocks until an interrupt of the entered evaluation was asked for, for a short while at most. */
    awaitInterrupt() {
        Atomics.wait(this._shared, INTERRUPTED, 0, INTERRUPT_MS);
    }

    /** True when an interrupt was asked for; a termination on its way is waited for, so that it hits nothing else. */
    leave() {
        if (Atomics.compareExchange(this._shared, STATE, RUNNING, IDLE) !== RUNNING) {
            if (Atomics.load(this._shared, TERMINATED) === 0) this._absorb();
            Atomics.store(this._shared, STATE, IDLE);
        }
        return Atomics.load(this._shared, INTERRUPTED) === 1;
    }

    _absorb() {
        const until = Date.now() + TERMINATION_MS;
        globalThis[TAKE].pending = () => Date.now() < until && Atomics.load(this._shared, TERMINATED) === 0;
        this._session.post(
            'Runtime.evaluate',
            { expression: `while (globalThis[Symbol.for('sandfish.take')].pending());` },
            () => {}
        );
    }

    /**
     * Calls `done` once with {value}, {thrown, place} or {terminated: true}, or never, when the cell was left before.
     *
     * The promise of the evaluation, which is among the first that it makes, is kept: were it collected while the cell
     * waits for something that never comes, Node 22 and later would abort.
     */
    evaluate(code, name, done) {
        const held = (this._held = []);
        const stop = promiseHooks.onInit((promise) => held.length < HELD_PROMISES && held.push(promise));
        const parameters = {
            expression: `${code}\n//# sourceURL=${name}`,
            replMode: true,
            awaitPromise: true,
            objectGroup: 'cell',
        };
        const session = this._session;
        try {
            session.post('Runtime.evaluate', parameters, (error, answer) => {
                if (session !== this._session) return;
                done(error ? { terminated: true } : this._read(answer, name));
            });
        } finally {
            stop();
        }
    }

    _read(answer, name) {
        const details = answer.exceptionDetails;
        if (!details) return { value: this.take(answer.result) };
        const place = { name, line: details.lineNumber + 1, column: details.columnNumber + 1 };
        return { thrown: this.take(details.exception), place };
    }

    /** After a cell that was left while it waited: the session that would hear of its promise ends. */
    abandon() {
        const session = this._session;
        this._connect();
        session.disconnect();
        this._held = [];
    }

    /** The real value behind a remote object. */
    take(remote) {
        if (!remote || remote.type === 'undefined') return undefined;
        if (remote.unserializableValue !== undefined) return unserializable(remote.unserializableValue);
        if (remote.objectId === undefined) return remote.value;
        const parameters = {
            functionDeclaration: `function (value) { globalThis[Symbol.for('sandfish.take')](value); }`,
            objectId: remote.objectId,
            arguments: [{ objectId: remote.objectId }],
            silent: true,
        };
        this._session.post('Runtime.callFunctionOn', parameters, () => {});
        const value = this._taken;
        this._taken = undefined;
        return value;
    }

    release() {
        this._held = [];
        this._session.post('Runtime.releaseObjectGroup', { objectGroup: 'cell' }, () => {});
    }
}

/** Forgets the callbacks that Node believes to be in, as a termination leaves them without their ends. */
function makeUnwinder() {
    try {
        const binding = process.binding('async_wrap');
        return () => binding.clearAsyncIdStack?.();
    } catch {
        return () => {};
    }
}

function unserializable(text) {
    return text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text);
}

module.exports = { Evaluator };
