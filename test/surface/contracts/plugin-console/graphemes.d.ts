export declare class Graphemes {
  #private;
  split(text: string): readonly string[];
  before(text: string, index: number): number;
  after(text: string, index: number): number;
}
export declare function widthOf(text: string): number;
export declare function fitWidth(text: string, columns: number, graphemes: Graphemes): string;
