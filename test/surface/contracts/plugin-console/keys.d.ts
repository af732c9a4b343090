export type Key =
  | {
      readonly kind: 'key';
      readonly name: string;
    }
  | {
      readonly kind: 'text' | 'paste';
      readonly text: string;
    };
export declare class KeyDecoder {
  #private;
  get isWaiting(): boolean;
  push(chunk: string): readonly Key[];
  flush(): readonly Key[];
}
