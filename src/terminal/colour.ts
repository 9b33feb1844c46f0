/**
 * Whether the console reports use colours: only on a terminal, and not if the user has set NO_COLOR (no-color.org).
 */
export const usesColour = (): boolean => process.stdout.isTTY === true && !process.env.NO_COLOR;
