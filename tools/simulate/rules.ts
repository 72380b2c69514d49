/** The rules that every simulation checks, by name. A run in which one of them had no chance to fail says so. */
export const SIMULATION_RULES = [
  'only ads that the law allows are delivered',
  'a key counts once within ten minutes',
  'a repeat gets the same ads',
  'a key is stored with what it counted',
  'a delivery is counted as a whole',
  'traffic is classified',
  'the time of an event is that of its process',
  'a token is accepted once',
  'a token says how its impression was counted',
  'a response has the ads that were counted',
  'a delivery that is acknowledged was recorded',
  'the views of valid tokens are recorded',
  'impressions are counted exactly',
  'views are counted exactly',
  'clicks are counted exactly',
  'every refusal has a reason',
  'a 503 has a reason',
  'every command is carried out',
  'everything ends',
  'nothing fails unexpectedly',
] as const;

export type SimulationRule = (typeof SIMULATION_RULES)[number];
