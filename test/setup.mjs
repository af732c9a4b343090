import {afterEach} from '@jest/globals';

// oclif sets the exit code of whatever process it runs in; that of the test runner is jest's.
afterEach(() => {
  process.exitCode = undefined;
});
