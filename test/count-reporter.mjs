/** Ends the output with the tests that were skipped, and one line that says how many passed and failed. */
export default class CountReporter {
  onRunComplete(_contexts, {numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults}) {
    const skipped = testResults.flatMap(({testResults: tests}) =>
      tests.filter(({status}) => status === 'pending').map(({fullName}) => `  ${fullName}\n`),
    );
    if (skipped.length > 0) process.stdout.write(`Skipped on this machine:\n${skipped.join('')}`);
    process.stdout.write(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`);
  }
}
