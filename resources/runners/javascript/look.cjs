// Looking inside the context while it is idle: completion, inspection, variables.
'use strict';
const OPERATIONS = [];
class Look { constructor(evaluator) { this._evaluator = evaluator; } }
module.exports = { Look, OPERATIONS };
