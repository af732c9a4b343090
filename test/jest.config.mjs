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
};
