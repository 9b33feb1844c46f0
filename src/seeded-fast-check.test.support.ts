/** fast-check with one seed for all properties, so that a failure can be repeated. SEED=number tries other cases. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.SEED ?? 20261121) });

export default fc;
