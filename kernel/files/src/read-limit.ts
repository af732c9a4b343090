/** Far beyond any file of configuration that a person or a program writes. What is longer is something else. */
export const READ_LIMIT = 16 * 2 ** 20;
