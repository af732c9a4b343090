import type {ConversationEvent, Seat} from '../contract.js';

interface Watching {
  /** Aborted when the person leaves. */
  readonly signal: AbortSignal;
  onEvent(event: ConversationEvent): void;
  onLeave(error: Error): void;
}

/** Follows a conversation until the signal is aborted. Gives its current mode. */
export async function watchConversation(
  {conversations, conversation}: Seat,
  {signal, onEvent, onLeave}: Watching,
): Promise<string> {
  const {mode} = await conversations.state(conversation);
  conversations.follow(conversation, {signal, onEvent}).catch((error: unknown) => {
    if (!signal.aborted) onLeave(error as Error);
  });
  return mode;
}
