export interface BufferSource {
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
  write(path: string, text: string, signal: AbortSignal): Promise<boolean>;
}
export interface Buffers {
  readonly isUsed: boolean;
  attach(source: BufferSource): () => void;
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
  note(path: string, isEdited: boolean): void;
  edited(): readonly string[];
  write(path: string, text: string, signal: AbortSignal): Promise<boolean>;
}
