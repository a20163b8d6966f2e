// The control channel (fd 3, writing side) and the marks that keep it in order with the text on fd 1 and 2.
'use strict';

const fs = require('node:fs');

const CONTROL = 3;
const PIPES = [1, 2];
const LINE_LIMIT = 60 << 20;
const SHORTENED_CHARS = 10000;
const EMPTY_WAIT = new Int32Array(new SharedArrayBuffer(4));

/** Writes all of `data`, waiting where the descriptor is non-blocking and full. */
function writeAll(fd, data) {
    for (let offset = 0; offset < data.length;) {
        try {
            offset += fs.writeSync(fd, data, offset);
        } catch (error) {
            if (error.code !== 'EAGAIN') throw error;
            Atomics.wait(EMPTY_WAIT, 0, 0, 1);
        }
    }
}

/** JSON text with lone surrogates replaced, as UTF-8 cannot hold them. */
function toLine(message) {
    const text = JSON.stringify(message, (_key, value) =>
        typeof value === 'bigint' ? String(value) : typeof value === 'string' ? wellFormed(value) : value
    );
    return Buffer.from(text + '\n');
}

/** What stands in for an event that the engine would refuse. */
function shortened(message, size) {
    const note = `The output has ${size >> 20} MB, which is more than the page can take.`;
    if (message.ev === 'result' || message.ev === 'display') {
        const text = String(message.data['text/plain'] ?? '').slice(0, SHORTENED_CHARS);
        return { ...message, data: { 'text/plain': `${text}\n${note}` }, metadata: {} };
    }
    if (message.ev === 'reply') return { ev: 'reply', id: message.id, error: note };
    return { ev: 'log', level: 'error', text: `${message.ev} left out: ${note}` };
}

function wellFormed(text) {
    if (text.isWellFormed) return text.isWellFormed() ? text : text.toWellFormed();
    return /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text;
}

class Channel {
    constructor(nonce, guard) {
        this._guard = guard;
        this._prefix = '\0\x1eM' + nonce;
        this._sequence = 0;
        this.flush = () => {};
    }

    /** Orders all text written before this call before all that follows; returns the number. */
    mark() {
        return this._guard.run(() => this._mark());
    }

    _mark() {
        this.flush();
        this._sequence += 1;
        const mark = Buffer.from(this._prefix + this._sequence.toString(16).padStart(8, '0') + '\x1e', 'latin1');
        for (const pipe of PIPES) {
            try {
                writeAll(pipe, mark);
            } catch {
                // A pipe that the cell closed has no text to put in order.
            }
        }
        return this._sequence;
    }

    /** Sends an event that stands where it arrives. */
    send(ev, members) {
        let line = toLine({ ev, ...members });
        if (line.length > LINE_LIMIT) line = toLine(shortened({ ev, ...members }, line.length));
        this._guard.run(() => writeAll(CONTROL, line));
    }

    /** Sends an event that stands after all text written so far. */
    sendMarked(ev, members) {
        this.send(ev, { ...members, mark: this.mark() });
    }
}

module.exports = { Channel, writeAll, wellFormed };
