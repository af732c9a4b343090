/**
 * A session has a few megabytes; with many images a few hundred. A larger one would use the memory that everything
 * else needs.
 */
export const MOST_BYTES = 256 * 2 ** 20;
