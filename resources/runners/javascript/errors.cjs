// Exceptions as the person who wrote the cell should see them: without the runner's and Node's own frames.
'use strict';

const { inspect } = require('node:util');

const TRACE_LIMIT = 100000;
const VALUE_LIMIT = 10000;
const UNREADABLE = 'Uncaught value that throws when it is read';
const FRAME = /^\s+at (?:(?:async )?(.*?) \()?(.+?):(\d+):(\d+)\)?$/;

function isForeign(line) {
    return line.includes(__dirname) || /\(node:|at node:|at (?:async )?new Promise \(<anonymous>\)/.test(line);
}

/** The stack text of an error without frames of the runner; of any other value, its text form. Never an exception. */
function stackText(value) {
    try {
        return readStack(value);
    } catch {
        return UNREADABLE;
    }
}

function readStack(value) {
    if (!isError(value)) return 'Uncaught ' + inspect(value, { depth: 2 });
    const stack = typeof value.stack === 'string' && value.stack !== '' ? value.stack : String(value);
    return stack
        .split('\n')
        .filter((line) => !isForeign(line))
        .join('\n');
}

function isError(value) {
    return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** What a `done` event says of a failure; `place` is {name, line, column} of a syntax error. Never an exception. */
function describe(value, place) {
    try {
        return read(value, place);
    } catch {
        return { ename: 'Uncaught', evalue: UNREADABLE, traceback: UNREADABLE, frames: [] };
    }
}

function read(value, place) {
    let text = readStack(value);
    if (place && isError(value) && value.name === 'SyntaxError' && !text.includes(place.name + ':')) {
        text += `\n    at ${place.name}:${place.line}:${place.column}`;
    }
    if (isError(value) && value.cause !== undefined) text += '\nCaused by: ' + stackText(value.cause);
    return {
        ename: isError(value) ? String(value.name || 'Error') : 'Uncaught',
        evalue: (isError(value) ? String(value.message) : inspect(value, { depth: 2 })).slice(0, VALUE_LIMIT),
        traceback: text.slice(0, TRACE_LIMIT),
        frames: frames(text),
    };
}

function frames(text) {
    return text
        .split('\n')
        .map((line) => FRAME.exec(line))
        .filter(Boolean)
        .slice(0, 50)
        .map(([, name, file, line, column]) => ({
            file,
            line: Number(line),
            column: Number(column),
            name: name ?? '',
        }));
}

module.exports = { describe, stackText };
