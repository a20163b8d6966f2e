// process.stdout and process.stderr over the raw pipes, in true order with each other and with the control channel.
//
// Text leaves at once while a cell has used less than its budget of writes; then it is gathered for 15 ms or 64 KiB.
'use strict';

const { Console } = require('node:console');
const { Writable } = require('node:stream');
const { writeAll } = require('./channel.cjs');

const WRITES_PER_CELL = 2000;
const WRITES_AFTER_PAUSE = 20;
const BATCH_CHARS = 65536;
const BATCH_MS = 15;

class Output extends Writable {
    constructor(fd, hub) {
        super({ decodeStrings: false });
        this.fd = fd;
        this._hub = hub;
        this._pending = '';
        this._scheduled = false;
        this._flushed = 0;
    }

    write(chunk, encoding, callback) {
        const done = typeof encoding === 'function' ? encoding : callback;
        this._hub.enter(this);
        if (typeof chunk !== 'string') this._writeBytes(chunk);
        else if (typeof encoding === 'string' && !/^utf-?8$/i.test(encoding))
            this._writeBytes(Buffer.from(chunk, encoding));
        else if (this._hub.takeFromBudget()) this._writeNow(Buffer.from(chunk));
        else this._gather(chunk);
        if (done) process.nextTick(done);
        return true;
    }

    _write(chunk, encoding, callback) {
        this.write(chunk, encoding);
        callback();
    }

    end(chunk, encoding, callback) {
        if (chunk != null && typeof chunk !== 'function') this.write(chunk, encoding);
        const done = [chunk, encoding, callback].find((argument) => typeof argument === 'function');
        if (done) process.nextTick(done);
        return this;
    }

    destroy() {
        return this;
    }

    flush() {
        if (this._pending === '') return;
        const text = this._pending;
        this._pending = '';
        this._writeNow(Buffer.from(text));
    }

    _writeBytes(bytes) {
        this.flush();
        this._writeNow(bytes);
    }

    _writeNow(bytes) {
        try {
            this._hub.guard.run(() => writeAll(this.fd, bytes));
        } catch {
            // The cell closed the descriptor: its text has nowhere to go.
        }
    }

    _gather(text) {
        this._pending += text;
        const now = performance.now();
        if (this._pending.length > BATCH_CHARS || now - this._flushed > BATCH_MS) {
            this._flushed = now;
            this.flush();
        } else if (!this._scheduled) {
            this._scheduled = true;
            setImmediate(() => {
                this._scheduled = false;
                this.flush();
                this._hub.refill();
            });
        }
    }
}

/** Keeps the two streams in order and tells the engine whose text follows. */
class Hub {
    constructor(channel, owners, guard) {
        this.guard = guard;
        this._channel = channel;
        this._owners = owners;
        this._stream = null;
        this._budget = WRITES_PER_CELL;
        this.out = new Output(1, this);
        this.err = new Output(2, this);
        channel.flush = () => this.flush();
    }

    install() {
        for (const [name, stream] of [
            ['stdout', this.out],
            ['stderr', this.err],
        ]) {
            Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => stream });
        }
        // Not the console that Node made: that one tells the inspector of each line, at ten times the cost of the line.
        const console = new Console({ stdout: this.out, stderr: this.err, colorMode: false, ignoreErrors: false });
        Object.defineProperty(globalThis, 'console', {
            value: console,
            writable: true,
            configurable: true,
            enumerable: false,
        });
        const processes = require('node:child_process');
        for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork']) {
            const plain = processes[name];
            const flushing = (...args) => {
                this.flush();
                return plain(...args);
            };
            Object.defineProperties(flushing, Object.getOwnPropertyDescriptors(plain));
            processes[name] = flushing;
        }
    }

    beginCell() {
        this._stream = null;
        this._budget = WRITES_PER_CELL;
    }

    /** `stream` is about to be written: writes the mark that a change of stream or owner needs. */
    enter(stream) {
        const changed = this._stream !== null && this._stream !== stream;
        if (!this._owners.announce() && changed) this._channel.mark();
        this._stream = stream;
    }

    takeFromBudget() {
        return this._budget > 0 && this._budget-- > 0;
    }

    refill() {
        if (this._budget <= 0) this._budget = WRITES_AFTER_PAUSE;
    }

    flush() {
        this.out.flush();
        this.err.flush();
    }
}

module.exports = { Hub };
