// Starts the JavaScript runner; see ../README.md for the contract with the engine.
//
// The main thread is the user's realm: it evaluates cells through an inspector session of its own. A worker thread owns
// the reading side of the control channel, so that an interrupt is read while a cell loops.
'use strict';

const { Runner } = require('./runner.cjs');

new Runner().start();
