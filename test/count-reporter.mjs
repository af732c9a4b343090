/** Ends the output with one line that says how many tests passed and failed. */
export default class CountReporter {
  onRunComplete(_contexts, {numPassedTests, numFailedTests, numRuntimeErrorTestSuites}) {
    process.stdout.write(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`);
  }
}
