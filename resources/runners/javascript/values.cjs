// From a JavaScript value to a bundle of mime types.
'use strict';

const util = require('node:util');

const PLAIN_LIMIT = 1 << 20;
const JSON_LIMIT = 32 << 20;
const TABLE_ROWS = 2000;
const TABLE_COLUMNS = 200;
// What Node notes on promises while it follows which cell they belong to.
const PROMISE_NOTES = /,?\s*\[Symbol\((?:async_id_symbol|trigger_async_id_symbol|kResourceStore)\)\]: [^\s,}]+/g;
const SPREAD_PROMISE = /Promise \{\n\s+([^\n]*)\n\s*\}/g;
const DISPLAY = Symbol.for('Jupyter.display');
const METHODS = [
    ['_repr_html_', 'text/html'],
    ['_repr_markdown_', 'text/markdown'],
    ['_repr_svg_', 'image/svg+xml'],
    ['_repr_png_', 'image/png'],
    ['_repr_jpeg_', 'image/jpeg'],
    ['_repr_latex_', 'text/latex'],
];

/** The mime bundle of a value; `text/plain` is always there. Errors raised by the value's own methods are skipped. */
function bundle(value) {
    const data = {};
    if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
        ask(value, DISPLAY, (answer) => Object.assign(data, answer));
        ask(value, '_repr_mimebundle_', (answer) => Object.assign(data, answer));
        for (const [name, mime] of METHODS) ask(value, name, (answer) => (data[mime] ??= answer));
        attempt(() => addKnownShapes(value, data));
    }
    if (!('application/json' in data) && isJson(value)) data['application/json'] = value;
    data['text/plain'] ??= plain(value);
    return encode(data);
}

/** Bytes become base64 text. */
function encode(data) {
    const encoded = {};
    for (const [mime, value] of Object.entries(data)) {
        if (value === undefined) continue;
        encoded[mime] = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
    }
    return encoded;
}

/** The text form, never an exception, at most PLAIN_LIMIT characters. */
function plain(value) {
    let text;
    try {
        text = util.inspect(value, { depth: 4, maxArrayLength: 100, maxStringLength: PLAIN_LIMIT, breakLength: 100 });
        if (text.includes('Promise {'))
            text = text.replace(PROMISE_NOTES, '').replace(SPREAD_PROMISE, 'Promise { $1 }');
    } catch (error) {
        text = `<a value that cannot be shown: ${attempt(() => String(error)) ?? 'it throws'}>`;
    }
    return text.length <= PLAIN_LIMIT ? text : text.slice(0, PLAIN_LIMIT) + '\u2026';
}

/** True for what JSON holds without loss of kind: no class instances but dates, no NaN, no functions at the top. */
function isJson(value) {
    if (value === null || typeof value === 'boolean') return true;
    if (typeof value === 'string') return value.length <= JSON_LIMIT;
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value !== 'object') return false;
    try {
        if (!(Array.isArray(value) || isPlain(value) || value instanceof Date)) return false;
        return JSON.stringify(value).length <= JSON_LIMIT;
    } catch {
        return false;
    }
}

function isPlain(value) {
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || prototype === Object.prototype;
}

function attempt(action) {
    try {
        return action();
    } catch {
        return undefined;
    }
}

function ask(value, name, take) {
    attempt(() => {
        const answer = typeof value[name] === 'function' ? value[name]() : undefined;
        if (answer != null) take(answer);
    });
}

function addKnownShapes(value, data) {
    if (typeof value.$schema === 'string' && value.$schema.includes('vega-lite')) {
        data['application/vnd.vegalite.v5+json'] ??= value;
    }
    if (isTable(value)) data['application/vnd.dataresource+json'] ??= table(value);
}

function isTable(value) {
    return (
        Array.isArray(value) &&
        value.length > 0 &&
        value.slice(0, TABLE_ROWS).every((row) => row && typeof row === 'object' && isPlain(row))
    );
}

function table(rows) {
    const names = [...new Set(rows.slice(0, 100).flatMap(Object.keys))].slice(0, TABLE_COLUMNS);
    const fields = names.map((name) => ({ name, type: fieldType(rows.find((row) => row[name] != null)?.[name]) }));
    return { schema: { fields }, data: rows.slice(0, TABLE_ROWS), totalRows: rows.length };
}

function fieldType(value) {
    if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
    if (value instanceof Date) return 'datetime';
    return typeof value === 'boolean' ? 'boolean' : 'string';
}

module.exports = { bundle, encode, plain };
