// Which execution a piece of text belongs to: timers and promises remember the cell that started them.
'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');

class Owners {
    constructor(channel) {
        this._channel = channel;
        this._storage = new AsyncLocalStorage();
        this._announced = null;
        this.current = null;
    }

    /** Called before `started` is sent. */
    begin(id) {
        this.current = this._announced = id;
    }

    /** Runs `action`; all that it starts belongs to the running execution. */
    run(action) {
        return this._storage.run(this.current, action);
    }

    /** The execution whose code runs now. */
    owner() {
        return this._storage.getStore() ?? this.current;
    }

    /** Tells the engine when the owner of what follows differs from the last; true when a mark was written. */
    announce() {
        const owner = this.owner();
        if (owner === this._announced) return false;
        this._announced = owner;
        this._channel.sendMarked('owner', { id: owner });
        return true;
    }
}

module.exports = { Owners };
