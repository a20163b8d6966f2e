// The worker thread: reads the control channel and ends loops of the main thread.
//
// It evaluates nothing itself: `Runtime.terminateExecution` is not delivered while the main thread is inside a message of
// the same session.
'use strict';

const inspector = require('node:inspector');
const net = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const { STATE, RUNNING_ID, TERMINATED, INTERRUPTED, IDLE_STATE, RUNNING, TERMINATING } = require('./state.cjs');

const GRACE_MS = 25;
const { shared } = workerData;
const session = new inspector.Session();
session.connectToMainThread();

/** First the cell's await is ended by the main thread itself; a cell that does not get there is terminated. */
function interrupt(id) {
    if (Atomics.load(shared, STATE) === IDLE_STATE || Atomics.load(shared, RUNNING_ID) !== (id | 0)) return;
    Atomics.store(shared, INTERRUPTED, 1);
    parentPort.postMessage({ op: 'interrupt', id });
    setTimeout(() => {
        if (Atomics.load(shared, RUNNING_ID) !== (id | 0)) return;
        if (Atomics.compareExchange(shared, STATE, RUNNING, TERMINATING) !== RUNNING) return;
        session.post('Runtime.terminateExecution', () => Atomics.store(shared, TERMINATED, 1));
    }, GRACE_MS);
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
