// Looking inside the context while it is idle: variables, one value by pages, completion, inspection.
'use strict';

const util = require('node:util');
const { tokenize } = require('./lexer.cjs');

const OPERATIONS = ['vars', 'get', 'complete', 'inspect'];
const VALUE_CHARS = 120;
const CELL_CHARS = 200;
const MATCHES = 500;
const EVALUATION_MS = 500;
const DOTTED = /([\p{ID_Start}$_][\p{ID_Continue}$]*(?:\??\.[\p{ID_Start}$_#][\p{ID_Continue}$]*)*)(\??\.)?$/u;
const KEYWORDS = (
    'async await break case catch class const continue debugger default delete do else export extends ' +
    'false finally for function if import in instanceof let new null of return static super switch this ' +
    'throw true try typeof var void while with yield'
).split(' ');

class Look {
    constructor(evaluator) {
        this._evaluator = evaluator;
        this._own = new Set(Object.getOwnPropertyNames(globalThis));
    }

    /** What the user's cells have made: declarations of all cells, then properties of the global object. */
    async _names() {
        const { names } = await this._evaluator.post('Runtime.globalLexicalScopeNames', {});
        const properties = Object.getOwnPropertyNames(globalThis).filter((name) => !this._own.has(name));
        return [...new Set([...names, ...properties])];
    }

    /** {value}, or null where the expression throws, has a side effect or takes too long. */
    async _value(expression) {
        const answer = await this._evaluator.post('Runtime.evaluate', {
            expression: `(${expression})`,
            throwOnSideEffect: true,
            timeout: EVALUATION_MS,
            objectGroup: 'cell',
            silent: true,
        });
        return answer.exceptionDetails ? null : { value: this._evaluator.take(answer.result) };
    }

    async vars({ limit = 200, budget_ms = 100 }) {
        const names = await this._names();
        const end = performance.now() + budget_ms;
        const entries = [];
        for (const name of names.slice(0, limit)) {
            const found = performance.now() < end ? await this._value(name).catch(() => null) : null;
            entries.push(
                found ? describeVariable(name, found.value) : { name, type: '', size: null, value: null, shape: null }
            );
        }
        this._evaluator.release();
        const truncated = entries.length < names.length || entries.some((entry) => entry.value === null);
        return { vars: entries, total: names.length, truncated };
    }

    async get({ name = '', offset = 0, limit = 100 }) {
        const found = (await this._names()).includes(name) ? await this._value(name).catch(() => null) : null;
        this._evaluator.release();
        if (!found) return { error: `There is no variable '${name}'.` };
        return {
            name,
            type: typeName(found.value),
            offset,
            ...page(found.value, Math.max(0, offset), Math.max(0, limit)),
        };
    }

    async complete({ code = '', pos }) {
        const before = [...code].slice(0, pos ?? [...code].length).join('');
        const end = [...before].length;
        const [word, owner] = wordAt(before);
        const matches = isInText(before)
            ? []
            : owner === ''
              ? await this._nameMatches(word)
              : await this._memberMatches(owner, word);
        this._evaluator.release();
        return { matches: matches.slice(0, MATCHES), start: end - [...word].length, end };
    }

    async _nameMatches(word) {
        const own = await this._names();
        const rest = [...this._own].filter((name) => !name.startsWith('_')).sort();
        const matches = [];
        for (const name of new Set([...own.sort(), ...rest])) {
            if (!name.startsWith(word)) continue;
            const found = await this._value(name).catch(() => null);
            matches.push({ text: name, type: found ? kindOf(found.value) : 'instance' });
        }
        return [
            ...matches,
            ...KEYWORDS.filter((name) => name.startsWith(word)).map((text) => ({ text, type: 'keyword' })),
        ];
    }

    async _memberMatches(owner, word) {
        const found = await this._value(owner).catch(() => null);
        if (!found || found.value == null) return [];
        const matches = new Map();
        for (
            let object = Object(found.value);
            object && matches.size < MATCHES;
            object = Object.getPrototypeOf(object)
        ) {
            for (const name of Object.getOwnPropertyNames(object).sort()) {
                if (!name.startsWith(word) || matches.has(name) || !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name))
                    continue;
                // The value of the descriptor, so that no getter runs.
                const property = Object.getOwnPropertyDescriptor(object, name);
                matches.set(name, { text: name, type: 'value' in property ? kindOf(property.value) : 'property' });
            }
        }
        return [...matches.values()];
    }

    async inspect({ code = '', pos, detail = 0 }) {
        const points = [...code];
        let end = pos ?? points.length;
        while (end < points.length && /[\p{ID_Continue}$]/u.test(points[end])) end++;
        const expression = DOTTED.exec(points.slice(0, end).join(''))?.[1] ?? callName(points.slice(0, end).join(''));
        const found = expression ? await this._value(expression).catch(() => null) : null;
        this._evaluator.release();
        return found ? describeValue(expression, found.value, detail) : { found: false };
    }
}

function kindOf(value) {
    if (typeof value !== 'function') return 'instance';
    return /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'function';
}

function typeName(value) {
    if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
    if (util.types.isProxy(value)) return 'Proxy';
    const name = Object.getPrototypeOf(value)?.constructor?.name;
    return typeof name === 'string' ? name : 'Object';
}

function short(value, characters) {
    try {
        const text = util.inspect(value, {
            depth: 1,
            maxArrayLength: 8,
            maxStringLength: characters,
            breakLength: Infinity,
            getters: false,
            // Code of a cell, which might never end.
            customInspect: false,
            showProxy: true,
        });
        return text.length <= characters ? text : text.slice(0, characters) + '\u2026';
    } catch (error) {
        return `<a value that cannot be shown: ${error}>`;
    }
}

function describeVariable(name, value) {
    const counted =
        typeof value === 'string' || Array.isArray(value) || ArrayBuffer.isView(value) ? value.length : undefined;
    const length = counted ?? (util.types.isMap(value) || util.types.isSet(value) ? value.size : undefined);
    const size = ArrayBuffer.isView(value) || util.types.isAnyArrayBuffer(value) ? value.byteLength : null;
    return {
        name,
        type: typeName(value),
        size,
        value: short(value, VALUE_CHARS),
        shape: length === undefined ? null : [length],
    };
}

function page(value, start, count) {
    const row = (key, item) => [
        key,
        typeName(item),
        typeof item === 'string' && item.length <= CELL_CHARS ? item : short(item, CELL_CHARS),
    ];
    const part = (items, make) => Array.from(items.slice(start, start + count), make);
    if (typeof value === 'string')
        return { kind: 'text', text: value.slice(start, start + count), total: value.length };
    if (Array.isArray(value) || (ArrayBuffer.isView(value) && value.length !== undefined)) {
        return { kind: 'list', rows: part(value, (item, at) => row(start + at, item)), total: value.length };
    }
    if (util.types.isSet(value))
        return { kind: 'list', rows: part([...value], (item, at) => row(start + at, item)), total: value.size };
    if (util.types.isMap(value)) {
        return {
            kind: 'dict',
            rows: part([...value], ([key, item]) => row(short(key, CELL_CHARS), item)),
            total: value.size,
        };
    }
    if (value === null || typeof value !== 'object' || util.types.isProxy(value)) {
        const text = short(value, CELL_CHARS);
        return { kind: 'text', text: text.slice(start, start + count), total: text.length };
    }
    const names = Object.keys(value);
    return { kind: 'object', rows: part(names, (name) => attributeRow(value, name, row)), total: names.length };
}

/** The row of a property; one with a getter is not computed. */
function attributeRow(value, name, row) {
    const property = Object.getOwnPropertyDescriptor(value, name);
    return property && 'value' in property ? row(name, property.value) : [name, 'property', '<not computed>'];
}

/** [the word before the cursor, the expression before its dot or '']; [null-like '', ''] in no name. */
function wordAt(before) {
    const found = DOTTED.exec(before);
    if (!found) return ['', ''];
    if (found[2]) return ['', found[1]];
    const dot = found[1].lastIndexOf('.');
    if (dot < 0) return [found[1], ''];
    return [found[1].slice(dot + 1), found[1].slice(0, dot).replace(/\?$/, '')];
}

/** True inside a string or a comment. */
function isInText(before) {
    const last = tokenize(before).at(-1);
    if (last?.kind === 'string' && last.end === before.length)
        return last.text.length < 2 || last.text[0] !== last.text.at(-1);
    return /\/\/[^\n]*$/.test(before.slice(last?.end ?? 0));
}

/** The name before the innermost open parenthesis, or ''. */
function callName(before) {
    const tokens = tokenize(before);
    let depth = 0;
    for (let at = tokens.length - 1; at > 0; at--) {
        if (tokens[at].text === ')') depth++;
        else if (tokens[at].text === '(' && depth-- === 0)
            return DOTTED.exec(before.slice(0, tokens[at].start))?.[1] ?? '';
    }
    return '';
}

function describeValue(name, value, detail) {
    const answer = { found: true, name, type: typeName(value) };
    const source = typeof value === 'function' ? Function.prototype.toString.call(value) : '';
    if (source) {
        answer.signature = signatureOf(name, value, source);
        if (detail && !/\[native code\]/.test(source)) answer.source = source;
    } else {
        answer.value = short(value, CELL_CHARS);
    }
    const lines = [answer.signature ?? `${name}: ${answer.type}`, answer.value, answer.source];
    answer.data = { 'text/plain': lines.filter((line) => line !== undefined).join('\n') };
    return answer;
}

function signatureOf(name, value, source) {
    const last = name.split('.').at(-1);
    if (kindOf(value) === 'class') return `class ${value.name || last}`;
    const found =
        /^(?:async\s*)?(?:function\s*\*?\s*)?[\w$]*\s*(\([^)]*\))/.exec(source) ??
        /^(?:async\s+)?([\w$]+)\s*=>/.exec(source);
    if (!found || /\[native code\]/.test(source))
        return `${last}(${value.length ? `${value.length} arguments` : '\u2026'})`;
    return last + (found[1].startsWith('(') ? found[1] : `(${found[1]})`);
}

module.exports = { Look, OPERATIONS };
