// TypeScript cells: the types are taken out by Node itself where it can.
'use strict';

const nodeModule = require('node:module');

/** The JavaScript of a TypeScript cell; throws an Error that says what is missing. */
function toJavaScript(code) {
    if (typeof nodeModule.stripTypeScriptTypes !== 'function') {
        throw new Error(
            `TypeScript cells need Node.js 22.13 or later, this is ${process.version}. ` +
                'Choose a newer Node.js for this context, or write the cell in JavaScript.'
        );
    }
    return nodeModule.stripTypeScriptTypes(code, { mode: 'transform' });
}

module.exports = { toJavaScript };
