// The words of the memory that the two threads share, and the values of the first.
'use strict';

module.exports = {
    STATE: 0,
    RUNNING_ID: 1,
    TERMINATED: 2,
    INTERRUPTED: 3,
    WORDS: 4,
    IDLE_STATE: 0,
    RUNNING: 1,
    TERMINATING: 2,
};
