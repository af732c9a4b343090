export declare function findNearest(written: string, names: Iterable<string>): readonly string[];
export declare function distanceBetween(a: string, b: string): number;
