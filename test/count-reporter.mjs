import {writeFileSync} from 'node:fs';

/** How many suites are named as the slowest. */
const MOST = 20;
/** Where bin/test.mjs reads what failed, when it runs that again. */
const RESULT = process.env['GEMINI_TEST_RESULT'];
const LEAK = 'A worker process has failed to exit gracefully';

function slowest(results) {
  return results
    .map(({testFilePath, perfStats: {start, end}}) => ({
      path: testFilePath.replace(/^.*\/test\/dist\//, ''),
      ms: end - start,
    }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, MOST)
    .map(({path, ms}) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${path}\n`);
}

/**
 * Ends the output with the slowest suites, the tests that were skipped, and one line that says how many passed and
 * failed. A worker that jest had to kill, because a test left something running, fails the run.
 */
export default class CountReporter {
  #leaks = 0;

  constructor() {
    const print = console.error;
    // Jest only prints a sentence about such a worker.
    console.error = (...words) => {
      if (String(words[0]).includes(LEAK)) this.#leaks += 1;
      print(...words);
    };
  }

  onRunComplete(_contexts, {numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults}) {
    const skipped = testResults.flatMap(({testResults: tests}) =>
      tests.filter(({status}) => status === 'pending').map(({fullName}) => `  ${fullName}\n`),
    );
    if (skipped.length > 0) process.stdout.write(`Skipped on this machine:\n${skipped.join('')}`);
    if (testResults.length > MOST) process.stdout.write(`Slowest suites:\n${slowest(testResults).join('')}`);
    const failed = numFailedTests + numRuntimeErrorTestSuites + this.#leaks;
    process.stdout.write(`${numPassedTests} passed, ${failed} failed\n`);
    if (RESULT) writeFileSync(RESULT, JSON.stringify(this.#result({passed: numPassedTests, failed, testResults})));
  }

  getLastError() {
    return this.#leaks > 0 ? new Error('A test left something running. --detect-open-handles finds it.') : undefined;
  }

  #result({passed, failed, testResults}) {
    const files = testResults
      .filter(({numFailingTests, testExecError}) => numFailingTests > 0 || testExecError)
      .map(({testFilePath, numPassingTests, testResults: tests}) => ({
        path: testFilePath,
        passed: numPassingTests,
        failed: tests.filter(({status}) => status === 'failed').map(({fullName}) => fullName),
      }));
    return {passed, failed, leaks: this.#leaks, files};
  }
}
