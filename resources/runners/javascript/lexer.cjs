// Cuts JavaScript into tokens, well enough to tell keywords from text inside strings, comments, templates and patterns.
'use strict';

const SPACE = /[\s\ufeff]+/y;
const LINE_COMMENT = /\/\/[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/y;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{|$)/y;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\.?\d(?:[eE][+-]|[\w.])*/y;
const MARK = /\?\.|=>|[\s\S]/y;
// After these words a `/` begins a pattern, after any other word or value it divides.
const BEFORE_PATTERN = new Set(
    'return typeof case do else in of instanceof new void delete throw await yield'.split(' ')
);

function match(pattern, code, at) {
    pattern.lastIndex = at;
    return pattern.exec(code)?.[0] ?? '';
}

/** [{kind: 'word'|'string'|'template'|'other', text, start, end}] without space and comments. */
function tokenize(code) {
    const tokens = [];
    const braces = [];
    let at = 0;
    const push = (kind, length) => {
        tokens.push({ kind, text: code.slice(at, at + length), start: at, end: at + length });
        at += length;
    };
    while (at < code.length) {
        const skipped = match(SPACE, code, at) || match(LINE_COMMENT, code, at) || match(BLOCK_COMMENT, code, at);
        if (skipped) {
            at += skipped.length;
            continue;
        }
        const character = code[at];
        if (character === '`' || (character === '}' && braces.at(-1) === '${')) {
            if (character === '}') braces.pop();
            const part = match(TEMPLATE_PART, code, at + 1);
            if (part.endsWith('${')) braces.push('${');
            push('template', part.length + 1);
            continue;
        }
        if (character === '{') braces.push('{');
        if (character === '}') braces.pop();
        const [kind, length] = plainToken(code, at, tokens.at(-1));
        push(kind, length);
    }
    return tokens;
}

function plainToken(code, at, before) {
    const string = match(STRING, code, at);
    if (string) return ['string', string.length];
    const word = match(WORD, code, at);
    if (word) return ['word', word.length];
    const pattern = code[at] === '/' && patternMayStart(before) ? match(PATTERN, code, at) : '';
    if (pattern) return ['other', pattern.length];
    const number = match(NUMBER, code, at);
    return ['other', (number || match(MARK, code, at)).length];
}

function patternMayStart(before) {
    if (!before) return true;
    if (before.kind === 'word') return BEFORE_PATTERN.has(before.text);
    if (before.kind !== 'other') return before.kind === 'template' && before.text.endsWith('${');
    return !/^[\d.]|^[)\]}]$/.test(before.text) || before.text === '.';
}

module.exports = { tokenize };
