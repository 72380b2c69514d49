/** The environment, as far as settings are read from it. */
export type Environment = Readonly<Record<string, string | undefined>>;
