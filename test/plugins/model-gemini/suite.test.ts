import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {createModelSuite, type ModelSuiteOptions} from '@gemini-kernel/plugin-agent/testing';
import {openGemini, type ModelSubject} from '../../helpers/model-subjects.js';

describe('model:gemini keeps what every provider promises [model.suite]', () => {
  let subject: ModelSubject | undefined;
  beforeAll(async () => {
    subject = await openGemini();
  });
  afterAll(async () => subject?.[Symbol.asyncDispose]());

  const opened = (): ModelSuiteOptions => {
    if (!subject) throw new Error('The provider did not open.');
    return subject.suite;
  };
  const cases = createModelSuite({
    model: 'gemini-2.5-flash',
    without: ['malformed-calls'],
    open: () => opened().open(),
    script: (answers) => opened().script(answers),
    requests: () => opened().requests(),
    release: () => opened().release(),
  });
  test.each(cases)('$title', ({run}) => run());

  test('the server found nothing wrong with any request', () => {
    expect(subject?.server.faults).toEqual([]);
  });
});
