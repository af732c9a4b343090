import {ToolError, type Form, type FormField, type FormValues} from '@gemini-kernel/kernel';
import type {Question} from './contract.js';

const OTHER = 'other';
const FEWEST_OPTIONS = 2;
const MOST_OPTIONS = 4;

/** Throws ToolError for a question that cannot be asked. */
export function checkQuestion({question, header, type, options = []}: Question): void {
  const about = `The question "${shortOf(header) || shortOf(question)}"`;
  const fail = (sentence: string, hint: string): never => {
    throw new ToolError('QUESTION_INVALID', `${about} ${sentence}`, {hint});
  };
  if (linesOf(question).length === 0) fail('has no text.', 'Give it as question.');
  if (type !== 'choice') return;
  if (options.length < FEWEST_OPTIONS || options.length > MOST_OPTIONS)
    fail(`has ${options.length} options.`, 'A choice has two to four; ask without options with the type text.');
  const labels = options.map(({label}) => shortOf(label));
  if (labels.includes('')) fail('has an option without a label.', 'Give each option a label.');
  if (new Set(labels).size < labels.length) fail('has the same option twice.', 'Give each option another label.');
}

/** The form with one field for each question. */
export function questionForm(questions: readonly Question[]): Form {
  const [first] = questions;
  return {
    title:
      questions.length === 1
        ? `Question: ${shortOf(first?.header ?? '') || 'from the model'}`
        : 'Questions of the model',
    about: {kind: 'ask_user', questions},
    fields: questions.map((question, index) => toField(question, nameOf(index))),
  };
}

function nameOf(index: number): string {
  return `q${index + 1}`;
}

function toField(question: Question, name: string): FormField {
  const [label = '', ...rest] = linesOf(question.question);
  const placeholder = shortOf(question.placeholder ?? '');
  const description = [...rest, ...(placeholder === '' ? [] : [`For example: ${placeholder}`])].join('\n');
  const base = {name, label, ...(description === '' ? {} : {description})};
  if (question.type === 'yesno') return {...base, kind: 'yes-no'};
  if (question.type === 'text') return {...base, kind: 'text'};
  const options = (question.options ?? []).map((option, index) => {
    const details = linesOf(option.description ?? '').join('\n');
    return {value: String(index), label: shortOf(option.label), ...(details === '' ? {} : {description: details})};
  });
  const other = {value: OTHER, label: 'Something else', description: 'You write it next.'};
  return {...base, kind: question.multiSelect ? 'several' : 'choice', options: [...options, other]};
}

/** The questions that the person answers in other words, by their place. */
export function otherWords(questions: readonly Question[], values: FormValues): readonly number[] {
  return [...questions.keys()].filter((index) => [values[nameOf(index)]].flat().includes(OTHER));
}

/** Asks for these words. */
export function otherForm(questions: readonly Question[], which: readonly number[]): Form {
  return {
    title: 'Your own words',
    about: {kind: 'ask_user', questions: which.map((index) => questions[index])},
    fields: which.map((index) => ({
      name: nameOf(index),
      label: linesOf(questions[index]?.question ?? '')[0] ?? '',
      kind: 'text',
    })),
  };
}

/** The answer to each question as text, as the model gets it. */
export function toAnswers(questions: readonly Question[], values: FormValues, words: FormValues): readonly string[] {
  return questions.map(({options = []}, index) => {
    const value = values[nameOf(index)];
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    const isText = typeof value === 'string' && questions[index]?.type === 'text';
    if (isText) return value;
    const labels = [value ?? []]
      .flat()
      .map((one) => (one === OTHER ? String(words[nameOf(index)]) : (options[Number(one)]?.label ?? '')));
    return labels.join(', ');
  });
}

/** Models often write a line break as a backslash and an n. */
function linesOf(text: string): readonly string[] {
  return text
    .replaceAll('\\n', '\n')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function shortOf(text: string): string {
  return linesOf(text).join(' ');
}
