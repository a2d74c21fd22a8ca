#!/usr/bin/env python3
"""Checks every line of every events.jsonl of the catalogue against docs/schema/events.schema.json:
each shape of line once."""
import sys
import unittest

sys.dont_write_bytecode = True
import catalogue
import lab
import schemas


class EventSchema(unittest.TestCase):
    def test_each_event_of_the_catalogue_is_as_the_schema_says(self):
        events = schemas.Events()
        files = sorted(catalogue.runs(type(self)).glob("**/events.jsonl"))
        self.assertGreater(len(files), 450)
        wrong = [found for file in files if (found := events.complaint_of_file(file))]
        self.assertEqual(wrong[:10], [])
        self.assertGreater(len(events.shapes), 500)


if __name__ == "__main__":
    lab.main()
