import { type Graphemes, type InputView } from '@gemini-kernel/terminal';
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly isLive: boolean;
  print(text: string): void;
  endLine(): void;
  prompt(view: InputView | undefined, below?: string): void;
  keepPrompt(view: InputView): void;
  status(line: string | undefined): void;
  clear(): void;
  refresh(): void;
}
type Output = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>;
export declare class LiveScreen implements Screen {
  #private;
  private readonly output;
  private readonly graphemes;
  readonly isLive = true;
  constructor(output: Output, graphemes: Graphemes);
  get columns(): number;
  get rows(): number;
  print(text: string): void;
  endLine(): void;
  prompt(view: InputView | undefined, below?: string): void;
  keepPrompt(view: InputView): void;
  status(line: string | undefined): void;
  clear(): void;
  refresh(): void;
}
export {};
