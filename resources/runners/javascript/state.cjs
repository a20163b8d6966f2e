// The words that the two threads share, and the states of the main thread.
'use strict';

/** Indices into the shared Int32Array. */
const STATE = 0;
const RUNNING_ID = 1;
const TERMINATED = 2;
const INTERRUPTED = 3;
const WORDS = 4;

/** IDLE: no cell. RUNNING: a cell that may be ended. GUARDED: it is in the runner's own code. TERMINATING: ends. */
const IDLE = 0;
const RUNNING = 1;
const GUARDED = 2;
const TERMINATING = 3;

/** Keeps a termination out of code of the runner that a cell calls: a line half written would spoil the channel. */
class Guard {
    constructor(shared) {
        this._shared = shared;
        this._depth = 0;
    }

    run(action) {
        if (this._depth > 0) return action();
        const entered = this._enter();
        this._depth += 1;
        try {
            return action();
        } finally {
            this._depth -= 1;
            if (entered) Atomics.compareExchange(this._shared, STATE, GUARDED, RUNNING);
        }
    }

    _enter() {
        const before = Atomics.compareExchange(this._shared, STATE, RUNNING, GUARDED);
        // Waits for the termination that is due, which ends this loop.
        while (before === TERMINATING && Atomics.load(this._shared, TERMINATED) === 0);
        return before === RUNNING;
    }
}

module.exports = { STATE, RUNNING_ID, TERMINATED, INTERRUPTED, WORDS, IDLE, RUNNING, GUARDED, TERMINATING, Guard };
