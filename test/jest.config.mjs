export default {
  rootDir: '..',
  testEnvironment: 'node',
  transform: {},
  testMatch: ['<rootDir>/test/dist/**/*.test.js'],
  setupFilesAfterEnv: ['<rootDir>/test/setup.mjs'],
  reporters: ['default', '<rootDir>/test/count-reporter.mjs'],
  modulePathIgnorePatterns: ['<rootDir>/test/fixtures/'],
  testTimeout: 30_000,
  // Many tests wait for processes and timers: two cores keep three busy.
  maxWorkers: 3,
  // Jest kills a worker that takes half a second to end, and counts that as a leak. One that has run a hundred suites has
  // more than a gigabyte, and takes that long on a busy machine; between two suites it is replaced instead.
  workerIdleMemoryLimit: '500MB',
};
