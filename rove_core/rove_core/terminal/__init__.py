"""Terminal output: tables that fit its width, and colours."""
