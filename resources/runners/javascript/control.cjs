// The worker thread: reads the control channel and ends loops of the main thread.
//
// It evaluates no cells itself: `Runtime.terminateExecution` is not delivered while the main thread is inside a message
// of the same session.
'use strict';

const inspector = require('node:inspector');
const net = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const { STATE, RUNNING_ID, TERMINATED, INTERRUPTED, IDLE, RUNNING, GUARDED, TERMINATING } = require('./state.cjs');

const GRACE_MS = 25;
const RETRY_MS = 1;
const UNWIND = "globalThis[Symbol.for('sandfish.take')].unwind()";
const { shared } = workerData;
const session = new inspector.Session();
session.connectToMainThread();

/** First the main thread is asked to leave the cell where it waits; a cell that does not get there is terminated. */
function interrupt(id) {
    if (!isRunning(id)) return;
    Atomics.store(shared, INTERRUPTED, 1);
    Atomics.notify(shared, INTERRUPTED);
    parentPort.postMessage({ op: 'interrupt', id });
    setTimeout(() => terminate(id), GRACE_MS);
}

function isRunning(id) {
    return Atomics.load(shared, STATE) !== IDLE && Atomics.load(shared, RUNNING_ID) === (id | 0);
}

function terminate(id) {
    if (!isRunning(id)) return;
    const before = Atomics.compareExchange(shared, STATE, RUNNING, TERMINATING);
    if (before === GUARDED) setTimeout(() => terminate(id), RETRY_MS);
    if (before !== RUNNING) return;
    // Both run between two steps of the loop. Without the first, Node would find its stack of callbacks in disorder.
    session.post('Runtime.evaluate', { expression: UNWIND }, () => {
        session.post('Runtime.terminateExecution', () => {
            Atomics.store(shared, TERMINATED, 1);
            parentPort.postMessage({ op: 'terminated', id });
        });
    });
}

function handle(line) {
    let message;
    try {
        message = JSON.parse(line);
    } catch {
        return;
    }
    if (message === null || typeof message !== 'object') return;
    if (message.op === 'interrupt') interrupt(message.id);
    else if (message.op === 'exit') process.exit(0);
    else parentPort.postMessage(message);
}

const socket = new net.Socket({ fd: 3, readable: true, writable: false });
let chunks = [];
socket.on('data', (data) => {
    let rest = data;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        handle(Buffer.concat([...chunks, rest.subarray(0, end)]).toString());
        chunks = [];
        rest = rest.subarray(end + 1);
    }
    if (rest.length) chunks.push(rest);
});
socket.on('error', () => process.exit(0));
socket.on('close', () => process.exit(0));
parentPort.postMessage({ op: 'listening' });
