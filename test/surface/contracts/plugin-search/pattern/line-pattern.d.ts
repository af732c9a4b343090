export interface LinePattern {
  readonly given: string;
  readonly isCaseSensitive: boolean;
  readonly isLiteral: boolean;
  readonly script: {
    readonly source: string;
    readonly flags: string;
  };
  readonly rust?: string;
  readonly pcre?: string;
}
