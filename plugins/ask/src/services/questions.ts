import {resolve} from 'node:path';
import {provide, ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {findAnswer, readAnswers, type Answers} from '../answers-file.js';
import type {Answered, Question, Questions} from '../contract.js';
import answersFlag from '../flags/answers.js';
import {checkQuestion, otherForm, otherWords, questionForm, toAnswers} from '../question-form.js';

/** Questions to the person of the session. */
export default provide('questions', {
  version: '1.0.0',
  scope: 'session',
  methods: ['canAnswer', 'ask'],
  create(context): Questions {
    let reading: Promise<Answers | undefined> | undefined;
    const prepared = (): Promise<Answers | undefined> => (reading ??= readPrepared(context));
    return {
      canAnswer: async () => (await prepared()) !== undefined || context.session.interactive,
      async ask(questions, signal) {
        questions.forEach(checkQuestion);
        const answers = await prepared();
        const known = questions.map((question) => answers && findAnswer(answers, question));
        const open = questions.filter((_, index) => known[index] === undefined);
        if (open.length === 0) return {outcome: 'answered', answers: known.map(String)};
        const given = await askPerson(context, open, signal);
        if (given.outcome === 'closed') return given;
        const left = [...given.answers];
        return {outcome: 'answered', answers: known.map((answer) => answer ?? left.shift() ?? '')};
      },
    };
  },
});

async function readPrepared({service, environment}: ServiceContext): Promise<Answers | undefined> {
  const file = await (await service('settings')).getApart(answersFlag.setting);
  return typeof file === 'string' && file !== '' ? readAnswers(resolve(environment.cwd, file)) : undefined;
}

/** All in one form; then a second one where the person wants to answer in other words. */
async function askPerson(
  {ask}: Pick<ServiceContext, 'ask'>,
  questions: readonly Question[],
  signal: AbortSignal | undefined,
): Promise<Answered> {
  const given = await ask(questionForm(questions), signal);
  if (given.outcome === 'nobody') throw unanswered(questions);
  if (given.outcome !== 'answered') return {outcome: 'closed'};
  const others = otherWords(questions, given.values);
  if (others.length === 0) return {outcome: 'answered', answers: toAnswers(questions, given.values, {})};
  const words = await ask(otherForm(questions, others), signal);
  if (words.outcome !== 'answered') return {outcome: 'closed'};
  return {outcome: 'answered', answers: toAnswers(questions, given.values, words.values)};
}

function unanswered(questions: readonly Question[]): ToolError {
  const headers = questions.map(({header}) => `"${header}"`).join(', ');
  return new ToolError('QUESTION_UNANSWERED', `No one can answer in this run: ${headers}.`, {
    hint: 'Decide by what you know, and say in your answer what you assumed.',
  });
}
