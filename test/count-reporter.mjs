/** How many suites are named as the slowest. */
const MOST = 20;

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

/** Ends the output with the slowest suites, the tests that were skipped, and one line that says how many passed and failed. */
export default class CountReporter {
  onRunComplete(_contexts, {numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults}) {
    const skipped = testResults.flatMap(({testResults: tests}) =>
      tests.filter(({status}) => status === 'pending').map(({fullName}) => `  ${fullName}\n`),
    );
    if (skipped.length > 0) process.stdout.write(`Skipped on this machine:\n${skipped.join('')}`);
    if (testResults.length > MOST) process.stdout.write(`Slowest suites:\n${slowest(testResults).join('')}`);
    process.stdout.write(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`);
  }
}
