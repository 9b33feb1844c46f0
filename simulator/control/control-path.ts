/** The path of the control server; the paths of `CONTROL_ROUTES` follow it. */
export const CONTROL_PATH = '/__mdwi';
