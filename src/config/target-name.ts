/** The names of targets: words of a command line that are no flags. */
export const TARGET_NAME = /^[A-Za-z0-9][\w.-]*$/;
export const TARGET_NAME_RULE = 'must consist of letters, digits, _, . and -';
