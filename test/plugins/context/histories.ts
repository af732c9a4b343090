import fc from 'fast-check';
import type {Entry, Piece} from '@gemini-kernel/plugin-agent/contract';

/** One step of a generated conversation. */
export type Step =
  | {readonly kind: 'prompt'; readonly text: string}
  | {readonly kind: 'answer'; readonly text: string}
  | {readonly kind: 'calls'; readonly calls: readonly Called[]; readonly isAnswered: boolean}
  | {readonly kind: 'note'; readonly text: string};

interface Called {
  readonly tool: string;
  readonly input: string;
  readonly output: number;
  readonly isPicture: boolean;
}

const called = fc.record({
  tool: fc.constantFrom('read_file', 'run_shell_command', 'grep_search', 'activate_skill', 'ask_user', '../../x'),
  input: fc.string({maxLength: 20}),
  output: fc.integer({min: 0, max: 30_000}),
  isPicture: fc.boolean(),
});

/** Steps of conversations: prompts, answers, calls with and without results, notes between them. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {weight: 2, arbitrary: fc.record({kind: fc.constant('prompt' as const), text: fc.string({maxLength: 200})})},
    {weight: 1, arbitrary: fc.record({kind: fc.constant('answer' as const), text: fc.string({maxLength: 200})})},
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('calls' as const),
        calls: fc.array(called, {minLength: 1, maxLength: 3}),
        isAnswered: fc.constantFrom(true, true, true, true, false),
      }),
    },
    {weight: 1, arbitrary: fc.record({kind: fc.constant('note' as const), text: fc.string({maxLength: 20})})},
  ),
  {maxLength: 60, size: 'max'},
);

/** The entries of a conversation; the same steps give the same ones. */
export function toEntries(given: readonly Step[]): readonly Entry[] {
  let next = 0;
  const make = (rest: Pick<Entry, 'kind' | 'origin'>, pieces: readonly Piece[]): Entry => {
    next += 1;
    return {id: `e${next}`, time: '', ...rest, message: {role: rest.kind === 'model' ? 'model' : 'user', pieces}};
  };
  return given.flatMap((step): Entry[] => {
    if (step.kind === 'prompt') return [make({kind: 'user', origin: 'person'}, [{kind: 'text', text: step.text}])];
    if (step.kind === 'answer') return [make({kind: 'model'}, [{kind: 'text', text: step.text}])];
    if (step.kind === 'note') return [make({kind: 'note'}, [{kind: 'text', text: step.text}])];
    const ids = step.calls.map((_, at) => `call-${next}-${at}`);
    const model = make(
      {kind: 'model'},
      step.calls.map(({tool, input}, at) => ({kind: 'call', id: ids[at] ?? '', name: tool, input: {input}})),
    );
    if (!step.isAnswered) return [model];
    return [
      model,
      make(
        {kind: 'user', origin: 'tools'},
        step.calls.map(({tool, output, isPicture}, at) => ({
          kind: 'result',
          id: ids[at] ?? '',
          name: tool,
          output: isPicture
            ? [{inlineData: {mimeType: 'image/png', data: Buffer.from(`picture ${next} ${at}`).toString('base64')}}]
            : [{text: textOf(output, next)}],
          failed: false,
        })),
      ),
    ];
  });
}

function textOf(length: number, mark: number): string {
  const line = `${mark}: the quick brown fox jumps over the lazy dog\n`;
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
}
