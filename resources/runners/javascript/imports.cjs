// Evaluated text may hold neither `import x from 'y'` nor `import('y')`: both become calls of a helper.
'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { tokenize } = require('./lexer.cjs');

const HELPER = '__sandfish_import';

/** The cell's text with imports rewritten; lines keep their numbers. */
function rewriteImports(code) {
    if (!/\bimport\b/.test(code)) return code;
    const tokens = tokenize(code);
    let result = '';
    let copied = 0;
    for (let at = 0; at < tokens.length; at++) {
        if (tokens[at].text !== 'import' || isMember(tokens, at)) continue;
        const change =
            tokens[at + 1]?.text === '(' ? { end: tokens[at].end, text: HELPER } : statement(code, tokens, at);
        if (!change) continue;
        result += code.slice(copied, tokens[at].start) + change.text;
        copied = change.end;
    }
    return result + code.slice(copied);
}

function isMember(tokens, at) {
    return at > 0 && (tokens[at - 1].text === '.' || tokens[at - 1].text === '?.');
}

/** `import …` as a statement: what replaces it and where it ends; null for anything else (`import.meta`). */
function statement(code, tokens, at) {
    const first = tokens[at + 1];
    if (!first || first.text === '.') return null;
    let last = at + 1;
    while (last < tokens.length && tokens[last].kind !== 'string') last++;
    if (last === tokens.length) return null;
    if (last > at + 1 && tokens[last - 1].text !== 'from') return null;
    const module = `await ${HELPER}(${tokens[last].text})`;
    const clause = code.slice(first.start, last > at + 1 ? tokens[last - 1].start : first.start);
    const end = tokens[last + 1]?.text === ';' ? tokens[last + 1].end : tokens[last].end;
    const lines = '\n'.repeat(code.slice(tokens[at].start, end).split('\n').length - 1);
    return { end, text: bindings(clause.trim(), module) + lines };
}

function bindings(clause, module) {
    if (clause === '') return module + ';';
    const names = /\{([\s\S]*)\}/.exec(clause);
    const star = /\*\s*as\s+([\w$]+)/.exec(clause);
    const standard = /^([\w$]+)/.exec(clause);
    const parts = [];
    if (standard) parts.push(`const { default: ${standard[1]} } = ${module};`);
    if (star) parts.push(`const ${star[1]} = ${module};`);
    if (names)
        parts.push(
            `const {${names[1].replace(/([\w$]+)\s+as\s+([\w$]+)/g, '$1: $2').replace(/\s*\n\s*/g, ' ')}} = ${module};`
        );
    return parts.join(' ');
}

/** Makes `require` and the import helper of the cells, which look from the working directory of the moment. */
function installModules() {
    const here = () => createRequire(path.join(process.cwd(), 'cell.js'));
    const require = (name) => here()(name);
    require.resolve = (...args) => here().resolve(...args);
    Object.defineProperty(require, 'cache', { get: () => here().cache });
    globalThis.require = require;
    Object.defineProperty(globalThis, HELPER, {
        value: (name) => import(specifier(String(name), here())),
        enumerable: false,
    });
}

function specifier(name, here) {
    if (/^\.{0,2}\//.test(name)) return pathToFileURL(path.resolve(name)).href;
    if (/^\w+:/.test(name)) return name;
    try {
        const found = here.resolve(name);
        return path.isAbsolute(found) ? pathToFileURL(found).href : found;
    } catch {
        return name;
    }
}

module.exports = { rewriteImports, installModules };
