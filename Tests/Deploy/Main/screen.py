class Screen:
    name="screen"
    def version(self): return None
