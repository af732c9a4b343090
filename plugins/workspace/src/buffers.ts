/** Something that is open elsewhere, such as an editor: the texts of files in it, saved or not. */
export interface BufferSource {
  /** The text of the file at a real path; undefined when it cannot be given. Never throws but the signal's reason. */
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Replaces the text; false when the file is to be written on the disk. Never throws but the signal's reason. */
  write(path: string, text: string, signal: AbortSignal): Promise<boolean>;
}

/** What is open elsewhere of the files of a place. For use within this process. */
export interface Buffers {
  /** Whether anything can be. */
  readonly isUsed: boolean;
  /** Asks a source from now on, until that is called off. */
  attach(source: BufferSource): () => void;
  /** The text of the first source that gives one. */
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Says whether a file has another text there than on the disk. */
  note(path: string, isEdited: boolean): void;
  /** The files that were last noted as edited. */
  edited(): readonly string[];
  /** Whether a source took the text. */
  write(path: string, text: string, signal: AbortSignal): Promise<boolean>;
}
