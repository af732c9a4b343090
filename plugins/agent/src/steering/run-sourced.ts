import type {Session} from '@gemini-kernel/kernel';
import type {AgentWatch, LineEnd, SlashCommand} from '../contract.js';

/** The command of a source that a line names. */
export async function findSourced(session: Session, line: string): Promise<SlashCommand | undefined> {
  return (await session.service('slash-commands')).find(line);
}

/** Runs it: sends its prompt, or shows its note. */
export async function runSourced(session: Session, text: string, watch: AgentWatch): Promise<LineEnd> {
  const outcome = await (await session.service('slash-commands')).run(text, watch.signal);
  if (outcome.kind === 'prompt') {
    const agent = await session.service('agent');
    return {kind: 'prompt', turn: await agent.send({text, parts: outcome.parts}, watch)};
  }
  watch.onEvent({kind: 'note', severity: outcome.severity ?? 'info', text: outcome.text});
  return {kind: 'command'};
}
