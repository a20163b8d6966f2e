// prompt(), confirm(), alert() and readline's question() ask the client; the answer is a line on fd 0.
'use strict';

const fs = require('node:fs');

const WAIT = new Int32Array(new SharedArrayBuffer(4));
const WAIT_MS = 2;
const NEWLINE = 10;

class Questions {
    constructor(channel, owners) {
        this._channel = channel;
        this._owners = owners;
        this._fd = null;
    }

    install() {
        globalThis.prompt = (text = '', preset = null) => {
            const line = this._ask(String(text), false);
            return line === '' && preset !== null ? String(preset) : line;
        };
        globalThis.confirm = (text = '') => /^y(es)?$/i.test((this._ask(`${text} [y/N] `, false) ?? '').trim());
        globalThis.alert = (text = '') => void this._ask(`${text} [Enter] `, false);
        this._adoptReadline();
    }

    _announce(prompt, password) {
        this._channel.sendMarked('input_request', { id: this._owners.owner(), prompt, password });
    }

    /** A line of the cells' stdin, null at its end. The read polls, so that an interrupt can end the wait. */
    _ask(prompt, password) {
        this._announce(prompt, password);
        this._fd ??= fs.openSync('/proc/self/fd/0', fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
        const bytes = [];
        const byte = Buffer.alloc(1);
        for (;;) {
            let count;
            try {
                count = fs.readSync(this._fd, byte, 0, 1);
            } catch (error) {
                if (error.code !== 'EAGAIN') throw error;
                Atomics.wait(WAIT, 0, 0, WAIT_MS);
                continue;
            }
            if (count === 0 && bytes.length === 0) return null;
            if (count === 0 || byte[0] === NEWLINE) return Buffer.from(bytes).toString();
            bytes.push(byte[0]);
        }
    }

    /** After an interrupt: an answer that came too late is for no later question. */
    forgetAnswers() {
        if (this._fd === null) return;
        try {
            while (fs.readSync(this._fd, Buffer.alloc(4096)) > 0);
        } catch {
            // Nothing left to read.
        }
    }

    _adoptReadline() {
        const questions = this;
        const prototype = require('node:readline').Interface.prototype;
        const plain = prototype.question;
        prototype.question = function (query, ...rest) {
            if (this.input === process.stdin) questions._announce(String(query), false);
            return plain.call(this, query, ...rest);
        };
    }
}

module.exports = { Questions };
