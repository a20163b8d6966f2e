// Evaluates the text of a cell in the main realm, as the console of an inspector does: `const` may be declared again in a
// later cell, `await` works at top level.
'use strict';

const inspector = require('node:inspector');
const { STATE, RUNNING_ID, TERMINATED, INTERRUPTED, IDLE_STATE, RUNNING } = require('./state.cjs');

const TERMINATION_MS = 500;
const HELPER = Symbol.for('sandfish.take');

class Evaluator {
    constructor(shared) {
        this._shared = shared;
        this._session = new inspector.Session();
        this._session.connect();
        this._taken = undefined;
        Object.defineProperty(globalThis, HELPER, { value: (value) => (this._taken = value), enumerable: false });
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

    /** True when an interrupt was asked for; a termination still on its way is waited for, so that it hits nothing else. */
    leave() {
        if (Atomics.compareExchange(this._shared, STATE, RUNNING, IDLE_STATE) !== RUNNING) {
            if (Atomics.load(this._shared, TERMINATED) === 0) this._absorb();
            Atomics.store(this._shared, STATE, IDLE_STATE);
        }
        return Atomics.load(this._shared, INTERRUPTED) === 1;
    }

    _absorb() {
        const until = Date.now() + TERMINATION_MS;
        globalThis[HELPER].pending = () => Date.now() < until && Atomics.load(this._shared, TERMINATED) === 0;
        this._session.post('Runtime.evaluate', { expression: `while (globalThis[Symbol.for('sandfish.take')].pending());` }, () => {});
    }

    /** {value} or {thrown, place}; rejects when the evaluation was terminated. */
    async evaluate(code, name) {
        const answer = await this.post('Runtime.evaluate', {
            expression: `${code}\n//# sourceURL=${name}`,
            replMode: true,
            awaitPromise: true,
            objectGroup: 'cell',
        });
        const details = answer.exceptionDetails;
        if (!details) return { value: await this.take(answer.result) };
        const place = { name, line: details.lineNumber + 1, column: details.columnNumber + 1 };
        return { thrown: await this.take(details.exception), place };
    }

    /** The real value behind a remote object. */
    async take(remote) {
        if (!remote || remote.type === 'undefined') return undefined;
        if (remote.unserializableValue !== undefined) return unserializable(remote.unserializableValue);
        if (remote.objectId === undefined) return remote.value;
        await this.post('Runtime.callFunctionOn', {
            functionDeclaration: `function (value) { globalThis[Symbol.for('sandfish.take')](value); }`,
            objectId: remote.objectId,
            arguments: [{ objectId: remote.objectId }],
            silent: true,
        });
        const value = this._taken;
        this._taken = undefined;
        return value;
    }

    release() {
        this._session.post('Runtime.releaseObjectGroup', { objectGroup: 'cell' }, () => {});
    }
}

function unserializable(text) {
    return text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text);
}

module.exports = { Evaluator };
